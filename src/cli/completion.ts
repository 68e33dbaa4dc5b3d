/** Shell completion: a static script, written out of the same commands and options that the help is written out of. */
import type { Command, Option } from "commander";

export const SHELLS = ["bash", "zsh"] as const;
export type Shell = (typeof SHELLS)[number];

/** The script for a shell; zsh runs bash's by its own bashcompinit. */
export function completionScript(program: Command, shell: Shell): string {
  const name = program.name();
  const commands = program.commands.map((command) => command.name());
  const func = `_${name.replaceAll("-", "_")}`;
  const script = [
    `# Completion of ${name} for ${shell}: written by \`${name} completion ${shell}\`.`,
    ...(shell === "zsh" ? ["autoload -U +X bashcompinit && bashcompinit"] : []),
    `${func}() {`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: they are bash's.
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" command="${COMP_WORDS[1]}"',
    `  if ((COMP_CWORD == 1)); then`,
    `    COMPREPLY=($(compgen -W "${["help", ...commands].join(" ")}" -- "$current"))`,
    "    return",
    "  fi",
    '  case "$command $previous" in',
    ...program.commands.flatMap(valueCases),
    "  esac",
    '  case "$command" in',
    `  help) COMPREPLY=($(compgen -W "${commands.join(" ")}" -- "$current")) ;;`,
    ...program.commands.map(
      (command) => `  ${command.name()}) COMPREPLY=($(compgen -W "${wordsOf(command)}" -- "$current")) ;;`,
    ),
    "  esac",
    "}",
    `complete -F ${func} ${name}`,
    "",
  ];
  return script.join("\n");
}

/** What may follow an option that takes a value: one of its choices, a file, a folder; anything else is for the user alone. */
function valueCases(command: Command): string[] {
  return command.options.filter(takesValue).map((option) => {
    const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
    const patterns = flags.map((flag) => `"${command.name()} ${flag}"`).join(" | ");
    return `  ${patterns}) COMPREPLY=(${completionOf(option)}); return ;;`;
  });
}

function completionOf({ argChoices, flags }: Option): string {
  if (argChoices !== undefined) return `$(compgen -W "${argChoices.join(" ")}" -- "$current")`;
  if (flags.includes("<file>")) return '$(compgen -f -- "$current")';
  return flags.includes("<folder>") ? '$(compgen -d -- "$current")' : "";
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** The options of a command, and the choices of its argument where it has any. */
function wordsOf(command: Command): string {
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...choices, ...command.options.flatMap(({ long }) => long ?? []), "--help"].join(" ");
}
