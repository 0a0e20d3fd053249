-- Sets or ends a switch. A switch is a text: the time when it ends, its number, and what it says. Of two changes of a switch,
-- the one with the higher number prevails: also if a server has lost the last changes, later ones have higher numbers than
-- those that the instance which makes them has seen, and than the time. The counter changes with each change; its last six
-- digits are random, so that two changes of which one was lost differ. A switch that was ended is kept as such for as long
-- as it would have lasted, so that an instance can restore the end in a Redis that has lost it.
-- KEYS  the switches, the log
-- ARGV  the number of the switch that the instance knows, and when that one ends, 0 for none; six random digits; which switch;
--       ms that it lasts, 0 to end it; its text; the entry of the log; the latest Unix time in ms at which it may change
--       something
-- Reply the time; when the switch ends or would have ended, 0 if there was none to end, -1 if the instance knows more of it than
--       is there, -2 if it is too late; its number
local unix = now + 1735689600000
local there = call('HGET', KEYS[1], ARGV[4]) or ''
local number = tonumber(string.match(there, '^%d+ (%d+) ') or 0)
local ends = tonumber(string.match(there, '^(%d+) ') or 0)
local present = tonumber(call('HGET', KEYS[1], 'count') or 0) or 0
-- A call that comes twice is made once.
if present % 1000000 == tonumber(ARGV[3]) and string.match(there, '^%d+ %d+ (.*)$') == ARGV[6] then
	return { unix, ends, number }
end
if unix > tonumber(ARGV[8]) then
	return { unix, -2, 0 }
end
if number < tonumber(ARGV[1]) and tonumber(ARGV[2]) > unix then
	return { unix, -1, 0 }
end
if ARGV[5] ~= '0' then
	ends = unix + ARGV[5]
elseif ends <= unix or string.find(there, '^%d+ %d+ ended$') then
	return { unix, 0, 0 }
end
-- An instance may have a copy of a switch that was to last longer, and must not restore it.
local LONGEST = 7 * 86400000
local all = call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
	local over = tonumber(string.match(all[i + 1], '^(%d+) '))
	if over and over + LONGEST <= unix then
		call('HDEL', KEYS[1], all[i])
	end
end
local count = math.floor(present / 1000000)
number = math.max(number, tonumber(ARGV[1]), unix) + 1
call('HSET', KEYS[1], ARGV[4], format('%.0f %.0f ', ends, number) .. ARGV[6])
call('HSET', KEYS[1], 'count', format('%.0f', (count + 1) * 1000000 + ARGV[3]))
call('XADD', KEYS[2], 'MAXLEN', '~', '1000', '*', 'switch', ARGV[4], 'change', ARGV[7])
return { unix, ends, number }
