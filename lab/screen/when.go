package screen

import (
	"fmt"
	"time"
)

// dateForm is a day as the calendar on the wall has it.
const dateForm = "Mon 2 January"

// DayWords say which day it is, some days from now on.
func DayWords(days int, now time.Time) string {
	date := now.AddDate(0, 0, days).Format(dateForm)
	switch days {
	case 0:
		return "today"
	case 1:
		return "tomorrow, " + date
	}
	return fmt.Sprintf("in %d days, %s", days, date)
}

// lateWords say since when something is due.
func lateWords(days int) string {
	switch days {
	case 0:
		return "today"
	case 1:
		return "yesterday"
	}
	return fmt.Sprintf("%d days ago", days)
}
