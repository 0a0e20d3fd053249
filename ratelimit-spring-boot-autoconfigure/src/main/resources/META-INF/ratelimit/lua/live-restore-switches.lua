-- Takes back switches, and ends of switches, from an instance that knows some of which Redis has lost the last change. The
-- change with the highest number prevails.
-- KEYS  the switches
-- ARGV  six random digits; how many switches; each switch, and its text
-- Reply the time; how many were taken back
local unix = now + 1735689600000
local missing = 0
for i = 1, tonumber(ARGV[2]) do
	local name, text = ARGV[2 * i + 1], ARGV[2 * i + 2]
	local ends, number = string.match(text, '^(%d+) (%d+) ')
	local there = call('HGET', KEYS[1], name) or ''
	local over = math.max(tonumber(ends) or 0, tonumber(string.match(there, '^(%d+) ') or 0))
	if ends and over > unix and tonumber(string.match(there, '^%d+ (%d+) ') or 0) < tonumber(number) then
		call('HSET', KEYS[1], name, text)
		missing = missing + 1
	end
end
if missing > 0 then
	local count = math.floor((tonumber(call('HGET', KEYS[1], 'count') or 0) or 0) / 1000000)
	call('HSET', KEYS[1], 'count', format('%.0f', (count + 1) * 1000000 + ARGV[1]))
end
return { unix, missing }
