#!/bin/sh
# What docs/developers/READERS.md says in numbers: `sh docs/readers.sh > docs/runs/printed/readers.csv`, from the root, after `cargo xtask docs`.
# A screen is 50 lines of 120 columns. Nothing is searched: the report is that of the committed run.
set -e
run=docs/runs/quick
report() { cargo xtask report "$run" "$@"; }
row() { printf '%s,%s\n' "$1" "$2"; }
echo "# sh docs/readers.sh"
echo "what,count"
row report_lines "$(report | wc -l)"
row report_bytes "$(report | wc -c)"
row widest_line "$(report | awk '{ if (length($0) > most) most = length($0) } END { print most }')"
row full_lines "$(report --full | wc -l)"
row full_bytes "$(report --full | wc -c)"
row page_bytes "$(report --html | wc -c)"
# Comments, targets of links and the lines that make a table or a block of code are not seen; a long line is folded.
screens() {
    sed -E 's/<!--[^>]*-->//g; s/\]\([^)]*\)/]/g; /^```/d; /^\|[-: |]+\|$/d' "$1" | cat -s | fold -s -w 120 | wc -l | awk '{ print $1 / 50 }'
}
row readme_screens "$(screens README.md)"
row results_screens "$(screens docs/RESULTS.md)"
row changed_positions "$(report --changed | tail -n +2 | wc -l)"
