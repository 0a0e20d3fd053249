-- Sets or ends a switch. The counter goes up with each change; its last six digits are random, so that two changes of
-- which one was lost differ. A switch that was ended is kept as such for as long as it would have lasted, so that an
-- instance can tell a Redis that has lost the end.
-- KEYS  the switches, the log
-- ARGV  the counter that the instance knows; six random digits; which switch; ms that it lasts, 0 to end it; its text; the
--       entry of the log; the latest Unix time in ms at which it may change something
-- Reply the time; when the switch ends or would have ended, 0 if there was none to end, -1 if the instance knows more than
--       is there, -2 if it is too late
local unix = now + 1735689600000
if unix > tonumber(ARGV[7]) then
	return { unix, -2 }
end
local count = math.floor(tonumber(call('HGET', KEYS[1], 'count') or 0) / 1000000)
if count < math.floor(ARGV[1] / 1000000) then
	return { unix, -1 }
end
local all = call('HGETALL', KEYS[1])
local present
for i = 1, #all, 2 do
	local ends = tonumber(string.match(all[i + 1], '^(%d+) '))
	if ends and ends <= unix then
		call('HDEL', KEYS[1], all[i])
	elseif ends and all[i] == ARGV[3] and not string.find(all[i + 1], '^%d+ ended$') then
		present = ends
	end
end
local ends = present
if ARGV[4] ~= '0' then
	ends = unix + ARGV[4]
elseif not present then
	return { unix, 0 }
end
call('HSET', KEYS[1], ARGV[3], format('%.0f ', ends) .. ARGV[5])
call('HSET', KEYS[1], 'count', format('%.0f', (count + 1) * 1000000 + ARGV[2]))
call('XADD', KEYS[2], 'MAXLEN', '~', '1000', '*', 'switch', ARGV[3], 'change', ARGV[6])
return { unix, ends }
