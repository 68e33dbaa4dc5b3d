-- The table of Oban's migrations, version 12: its columns, states, checks and indexes.
CREATE TYPE oban_job_state AS ENUM (
  'available', 'scheduled', 'executing', 'retryable', 'completed', 'discarded', 'cancelled'
);

CREATE TABLE oban_jobs (
  id bigserial PRIMARY KEY,
  state oban_job_state NOT NULL DEFAULT 'available',
  queue text NOT NULL DEFAULT 'default',
  worker text NOT NULL,
  args jsonb NOT NULL DEFAULT '{}',
  meta jsonb DEFAULT '{}',
  tags varchar(255)[] DEFAULT ARRAY[]::varchar[],
  errors jsonb[] NOT NULL DEFAULT ARRAY[]::jsonb[],
  attempt integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 20,
  priority integer NOT NULL DEFAULT 0,
  inserted_at timestamp NOT NULL DEFAULT timezone('UTC', now()),
  scheduled_at timestamp NOT NULL DEFAULT timezone('UTC', now()),
  attempted_at timestamp,
  attempted_by text[],
  completed_at timestamp,
  cancelled_at timestamp,
  discarded_at timestamp,
  CONSTRAINT attempt_range CHECK (attempt BETWEEN 0 AND max_attempts),
  CONSTRAINT positive_max_attempts CHECK (max_attempts > 0),
  CONSTRAINT non_negative_priority CHECK (priority >= 0),
  CONSTRAINT queue_length CHECK (char_length(queue) BETWEEN 1 AND 127),
  CONSTRAINT worker_length CHECK (char_length(worker) BETWEEN 1 AND 127)
);

CREATE INDEX oban_jobs_state_queue_priority_scheduled_at_id_index
  ON oban_jobs (state, queue, priority, scheduled_at, id);
CREATE INDEX oban_jobs_args_index ON oban_jobs USING gin (args);
CREATE INDEX oban_jobs_meta_index ON oban_jobs USING gin (meta);
