-- Adds decision events to a stream.
-- KEYS  the stream
-- ARGV  how many events the stream has at most, how many are added, the events
-- Reply the time; how many were added
local unix = now + 1735689600000
local maximum, count = ARGV[1], tonumber(ARGV[2])
for i = 3, count + 2 do
	call('XADD', KEYS[1], 'MAXLEN', '~', maximum, '*', 'event', ARGV[i])
end
return { unix, count }
