package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The script that lets a shell complete our verbs, options, functions and contexts. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash or zsh.",
        footer = {"", "Examples:", "  source <(./knabla completion bash)", "  source <(./knabla completion zsh)"})
final class CompletionCommand implements Callable<Integer> {
    /** Shells that we write for. */
    enum Shell {
        bash,
        zsh
    }

    /**
     * After a verb that takes a function's name, asks the platform for names; after --context, the kubeconfig;
     * everything else is picocli's. Both spellings, with and without ./, lead here. A shell may cut a word at = : or @,
     * which names of contexts hold: only its last piece is replaced.
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
                  describe|versions|delete|rm|logs|invoke|traffic|rollback|export)
                    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" list -o name -q 2>/dev/null)" -- "$word"))
                    return 0 ;;
                esac
              fi
              _complete_knabla "$@"
            }
            complete -F _knabla_with_names -o default knabla ./knabla
            """;

    /** Bash's way of completing, in zsh. */
    private static final String ZSH = "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n";

    @Parameters(index = "0", paramLabel = "SHELL", description = "bash or zsh.")
    Shell shell;

    @Spec
    CommandSpec spec;

    private final Context context;

    CompletionCommand(Context context) {
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
                        });
        return ExitCodes.GOOD;
    }
}
