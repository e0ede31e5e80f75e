package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kafkalab/engine/config"
)

// usageText is what is wrong with a command line, with what is near it or
// allowed instead.
func usageText(root *cobra.Command, args []string, text string) string {
	cmd, _, err := root.Find(args)
	if err != nil {
		cmd = root
	}
	var names []string
	word, dashes := "", ""
	switch {
	case strings.HasPrefix(text, "unknown flag: --"):
		word, dashes = strings.TrimPrefix(text, "unknown flag: --"), "--"
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	case strings.HasPrefix(text, "unknown command"):
		text = strings.Split(text, "\n")[0]
		if quoted := strings.Split(text, `"`); len(quoted) > 1 {
			word = quoted[1]
		}
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
	}
	near := config.Nearest(word, names)
	switch {
	case near != "":
		return text + "; did you mean " + dashes + near + "?"
	case dashes == "" && len(names) > 0:
		return text + "; there are " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s; %s --help shows what is allowed", text, cmd.CommandPath())
}
