-- Moves what was used of a bucket under a limit that has changed into the bucket of the new limit, once: an instance that
-- still goes by the old limit starts the old bucket afresh, and keeps it.
-- KEYS  the old bucket, the new one
-- ARGV  which bucket the old one is, which the new one
-- Reply the time
if not present(KEYS[2], 1 + width) and present(KEYS[1], 1) then
	local units = used(KEYS[1], 1)
	forget(KEYS[1], 1)
	if units > 0 then
		settle(KEYS[2], now, units, 1 + width)
	end
	save()
end
return { now }
