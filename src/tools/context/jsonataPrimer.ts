/**
 * The JSONata syntax by example, returned on request and when an expression does not compile. At most 4,000 characters.
 */
export const JSONATA_PRIMER = `JSONata syntax reference

$ is the whole document. In the examples it is an array of orders:
[{"id": 7, "day": "2026-05-31T09:00", "email": "a@x.com", "amount": 150, "tags": ["new"], "ship": {"city": "Oslo"}}, …]

Paths
  $.email                  one field of every entry; entries without it are skipped
  $.ship.city              fields of fields
  $[0]   $[-1]   $[[0..9]] the first, the last, the first ten
  $.*    $.**.city         all fields; city at any depth
  $."odd name"             a name with spaces or dots, in double quotes or backquotes

Filters
  $[amount > 100]                      compare with = != < <= > >=  (not ==)
  $[amount > 100 and ship.city = "Oslo"]
  $["new" in tags]                     a member of an array
  $[email ~> /@x\\.com$/]               a regular expression; /…/i ignores case
  $[$contains(email, "x.com")]         a part of a text
  $[$exists(ship)]   $[$not(paid)]     there or not
  A filter that matches one entry returns that entry, not an array: write $[amount > 100][] to keep an array.
  No match is no value, returned as null.

New shapes
  $.{"who": email, "sum": amount}      an object for each entry
  [$.email]                            always an array
  {"all": $count($), "top": $max(amount)}   one object
  $.(amount * 1.25)                    arithmetic: + - * / %
  $.(email & ": " & $string(amount))   & joins strings

Groups
  \${email: $sum(amount)}               by a field: {"a@x.com": 170, …}
  \${$substring(day, 0, 10): $count($)} by a computed name
  \${ship.city: [$.id]}                 values of each group as an array

Order and numbers
  $^(amount)   $^(>amount, email)      sort; > is descending
  $count(…) $sum(…) $average(…) $min(…) $max(…)
  $distinct(email)   $reverse($)   $sort(tags)   $round(amount, 1)   $number("12")

Strings
  $substring(day, 0, 10)   $substringBefore(day, "T")   $substringAfter(email, "@")
  $split(email, "@")   $join(tags, ", ")   $replace(email, "@", " at ")
  $lowercase(…) $uppercase(…) $trim(…) $length(…) $match(day, /\\d+/).match

Objects
  $keys($[0])   $lookup($, "id")   $merge([a, b])   $each($[0], function($v, $k) {$k & "=" & $v})
  $spread($)    $type($[0].amount)

Functions and variables
  $map($, function($o) {$o.amount * 2})
  $filter($, function($o, $i) {$i < 10 and $o.amount > 5})
  $reduce(amount, function($sum, $n) {$sum + $n}, 0)
  ($big := $[amount > 100]; {"count": $count($big), "ids": [$big.id]})   several steps in ( ; ), the last is the result
  amount > 100 ? "big" : "small"       a choice
  $ ~> $map(function($o) {$o.id}) ~> $count()    one after another

Documents
  A file of JSON Lines, CSV or TSV is an array with an entry a line; CSV values are strings: $number(amount) > 100.
  A stored tool result with several fields is an object: matches[path ~> /\\.ts$/].line
`;
