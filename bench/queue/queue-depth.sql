-- How many jobs wait in each queue, over the whole cluster.
-- $1: the names of all queues that are known (text[]). Each has a row, with 0 where nothing waits.
SELECT queue,
       coalesce(waiting.jobs, 0) AS jobs,
       extract(epoch FROM now()) AS read_at
FROM unnest($1::text[]) AS known (queue)
FULL JOIN (
  SELECT queue, count(*) AS jobs
  FROM oban_jobs
  WHERE state = 'available'
  GROUP BY queue
) AS waiting USING (queue)
ORDER BY queue
