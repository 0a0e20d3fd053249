-- An instance says what it applies. Those that have not said anything for a while are dropped.
-- KEYS  what each instance said, after the Unix time in ms
-- ARGV  this instance; what it says, empty if it leaves; ms after which an instance is dropped
-- Reply the time
local unix = now + 1735689600000
local all = call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
	local said = tonumber(string.match(all[i + 1], '^%d+'))
	if not said or said < unix - ARGV[3] then
		call('HDEL', KEYS[1], all[i])
	elseif said > unix then
		-- A time from before the clock was set back counts as now.
		call('HSET', KEYS[1], all[i], format('%.0f', unix) .. string.match(all[i + 1], '^%d+(.*)$'))
	end
end
if ARGV[2] == '' then
	call('HDEL', KEYS[1], ARGV[1])
else
	call('HSET', KEYS[1], ARGV[1], format('%.0f ', unix) .. ARGV[2])
	call('PEXPIRE', KEYS[1], ARGV[3])
end
return { unix }
