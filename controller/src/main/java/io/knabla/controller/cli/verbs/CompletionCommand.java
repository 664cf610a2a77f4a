package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.Context;
import io.knabla.controller.cli.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The script that lets a shell complete our verbs, options and functions. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash or zsh.",
        footer = {
            "",
            "Examples:",
            "  source <(./knabla completion bash)",
            "  source <(./knabla completion zsh)"
        })
final class CompletionCommand implements Callable<Integer> {
    /** Shells that we write for. */
    enum Shell {
        bash,
        zsh
    }

    /**
     * After a verb that takes a function's name, asks the platform for names; everything else is
     * picocli's. Both spellings, with and without ./, lead here.
     */
    private static final String NAMES =
            """

            function _knabla_with_names() {
              local word=${COMP_WORDS[COMP_CWORD]}
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
    private static final String ZSH =
            "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n";

    @Parameters(index = "0", paramLabel = "SHELL", description = "bash or zsh.")
    Shell shell;

    @Spec CommandSpec spec;

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
