/** The JSONata syntax by example, returned on request: at most 1,800 characters, since models pay for each. */
export const JSONATA_PRIMER = `JSONata syntax reference

$ is the document, here [{"id": 7, "day": "2026-05-31T09:00", "email": "a@x.com", "amount": 150, "tags": ["new"], "ship": {"city": "Oslo"}}, …]
Paths: email · ship.city · $[0] · $[-1] · $[[0..9]] for the first ten · ship.* · **.city at any depth · $.\`odd name\`
Filters: $[amount > 100 and ship.city = "Oslo"] · $["new" in tags] · $[email ~> /@X\\.com$/i] · $[$contains(email, "x.")] · $[$exists(ship)] · $[$not($exists(paid))]
Compare with = != < <= > >=. One match is that entry, not an array: $[amount > 100][] keeps an array. No match is null.
Shapes: $.{"who": email, "sum": amount} · [$.email] · $.(amount * 1.25) · $.(email & ": " & $string(amount))
Groups: \${email: $sum(amount)} · \${$substring(day, 0, 10): $count($)} · \${ship.city: [$.id]}
Sort: $^(amount) · $^(>amount, email), > is descending · $sort(tags)
Numbers: $count(id) $sum(amount) $average $min $max $.$round(amount, 1) $number("12")
Texts, for each entry with $.$trim(email) and the like: $substringBefore(day, "T") $substringAfter $split(email, "@") $join(tags, ", ") $replace(email, "@", " at ") $lowercase $uppercase $trim $length $match(day, /\\d+/).match
Lists and objects: $distinct(email) $reverse($) $append(tags, "x") $keys($[0]) $lookup($, "id") $merge([a, b]) $type(amount) $each($[0], function($v, $k) {$k & "=" & $string($v)})
Functions: $map($, function($o) {$o.amount * 2}) · $filter($, function($o, $i) {$i < 10}) · $reduce(amount, function($sum, $n) {$sum + $n}, 0)
Steps: ($big := $[amount > 100]; {"count": $count($big), "ids": [$big.id]}) · amount > 100 ? "big" : "small"
A file of JSON Lines, CSV or TSV is an array with an entry for each line. A stored tool result is an object: matches[path ~> /\\.ts$/].line
`;
