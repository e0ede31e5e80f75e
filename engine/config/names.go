package config

// Names lists the names of a scope's configs, sorted.
func Names(scope Scope) []string {
	var out []string
	for _, k := range Keys(scope) {
		out = append(out, k.Name)
	}
	return out
}
