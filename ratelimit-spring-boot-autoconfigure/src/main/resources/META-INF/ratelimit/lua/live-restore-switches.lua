-- Takes back switches from an instance that knows more of them than are there.
-- KEYS  the switches
-- ARGV  the counter that the instance knows; how many switches; each switch, and its text
-- Reply the time; whether they were taken back
local unix = now + 1735689600000
local present = tonumber(call('HGET', KEYS[1], 'count') or 0)
local known = tonumber(ARGV[1])
if math.floor(present / 1000000) >= math.floor(known / 1000000) then
	return { unix, 0 }
end
for i = 1, tonumber(ARGV[2]) do
	local name, text = ARGV[2 * i + 1], ARGV[2 * i + 2]
	local ends = string.match(text, '^%d+')
	local there = call('HGET', KEYS[1], name)
	-- Of one switch, its end is the newer state. A switch that is there may have been set since the loss.
	local same = there and string.match(there, '^%d+') == ends
	local ended = there and string.find(there, '^%d+ ended$')
	if tonumber(ends) > unix and (not there or same and text == ends .. ' ended' or ended and not same) then
		call('HSET', KEYS[1], name, text)
	end
end
-- What was set since the loss is new to those who know this counter.
if present > 0 then
	known = known + 1000000
end
call('HSET', KEYS[1], 'count', format('%.0f', known))
return { unix, 1 }
