-- Moves the usage of a bucket to the bucket of a changed limit, once: from the first of the old buckets that exists. An instance
-- that still applies an old limit creates the old bucket again, which then stays.
-- KEYS  the old buckets, the latest first; the new one
-- ARGV  which bucket each of these is
-- Reply the time
local new = 1 + (#KEYS - 1) * width
local old = present(KEYS[#KEYS], new) and #KEYS or 1
while old < #KEYS and not present(KEYS[old], 1 + (old - 1) * width) do
	old = old + 1
end
if old < #KEYS then
	local at = 1 + (old - 1) * width
	local units = used(KEYS[old], at)
	forget(KEYS[old], at)
	if units > 0 then
		settle(KEYS[#KEYS], now, units, new)
	end
	save()
end
return { now }
