-- Moves what was used of a bucket under limits that have changed into the bucket of the new limit, once: of the first that is
-- there. An instance that still goes by an old limit starts the old bucket afresh, and keeps it.
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
