package io.knabla.controller.cli.verbs.help;

import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.verbs.context.Context;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the shell script that completes verbs, options, function names and contexts. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash, zsh or fish.",
        footer = {
            "",
            "Examples:",
            "  source <(./knabla completion bash)",
            "  source <(./knabla completion zsh)",
            "  ./knabla completion fish | source"
        })
public final class CompletionCommand implements Callable<Integer> {
    /** Supported shells. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    /** Verbs that take a function's name. */
    private static final String NAMED = "describe|versions|delete|rm|logs|invoke|traffic|rollback|export";

    /**
     * Completes function names, from the platform, after a verb that takes one, and kubeconfig contexts after
     * --context; picocli completes the rest. Works for {@code knabla} and {@code ./knabla}. A shell may split a word at
     * = : or @, which names of contexts contain: only the last piece is replaced.
     */
    private static final String NAMES = """

            function _knabla_contexts() {
              local piece=$1 whole=${COMP_LINE:0:COMP_POINT}
              whole=${whole##*[[:space:]]}
              whole=${whole#--context=}
              [[ $piece == [=:@] ]] && piece=
              local before=${whole%"$piece"} name
              COMPREPLY=()
              while IFS= read -r name; do
                [[ $name == "$whole"* ]] && COMPREPLY+=("${name#"$before"}")
              done < <("${COMP_WORDS[0]}" contexts 2>/dev/null)
            }

            function _knabla_with_names() {
              local word=${COMP_WORDS[COMP_CWORD]} typed=${COMP_LINE:0:COMP_POINT}
              if [[ $typed =~ [[:space:]]--context(=|[[:space:]]+)[^[:space:]]*$ ]]; then
                _knabla_contexts "$word"
                return 0
              fi
              if [[ $COMP_CWORD -eq 2 && $word != -* ]]; then
                case ${COMP_WORDS[1]} in
                  NAMED)
                    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" list -o name -q 2>/dev/null)" -- "$word"))
                    return 0 ;;
                esac
              fi
              _complete_knabla "$@"
            }
            complete -F _knabla_with_names -o default knabla ./knabla
            """.replace("NAMED", NAMED);

    /** Enables bash completion in zsh. */
    private static final String ZSH = "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n";

    @Parameters(index = "0", paramLabel = "SHELL", description = "bash, zsh or fish.")
    Shell shell;

    @Spec
    CommandSpec spec;

    private final Context context;

    public CompletionCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String script = AutoComplete.bash("knabla", spec.root().commandLine()) + NAMES;
        context.console()
                .out()
                .print(
                        switch (shell) {
                            case bash -> script;
                            case zsh -> ZSH + script;
                            case fish -> FishCompletion.of(spec.root(), NAMED);
                        });
        return ExitCodes.SUCCESS;
    }
}
