-- Makes buckets as if they had never been used.
-- KEYS  the buckets
-- ARGV  for each: algorithm; which bucket it is
-- Reply the time
local at = 1
for i = 1, #KEYS do
	algorithms[ARGV[at]](KEYS[i], at + 1)
	at = at + 1 + width
end
save()
return { now }
