-- Moves what was used of a bucket under a limit that has changed into the bucket of the new limit, once: an instance that
-- still goes by the old limit starts the old bucket afresh, and keeps it.
-- KEYS  the old bucket, the new one
-- ARGV  the algorithm's own under the old limit, then under the new one
-- Reply the time
if call('EXISTS', KEYS[2]) == 0 and call('EXISTS', KEYS[1]) == 1 then
	local units, following = used(KEYS[1], 1)
	call('DEL', KEYS[1])
	if units > 0 then
		settle(KEYS[2], now, units, following)
	end
end
return { now }
