-- Adds to the sums of a minute, and keeps the largest.
-- KEYS  the sorted set of the minute, by the sums
-- ARGV  ms after which it is forgotten; how many names are kept; then each name and what to add to its sum
-- Reply how many names were dropped
for i = 3, #ARGV, 2 do
	call('ZINCRBY', KEYS[1], ARGV[i + 1], ARGV[i])
end
local dropped = call('ZRANGE', KEYS[1], 0, format('%d', -1 - ARGV[2]))
for _, name in ipairs(dropped) do
	-- What was missed is a sum of another kind.
	if name ~= 'missed' then
		call('ZREM', KEYS[1], name)
	end
end
call('PEXPIRE', KEYS[1], ARGV[1])
return { #dropped }
