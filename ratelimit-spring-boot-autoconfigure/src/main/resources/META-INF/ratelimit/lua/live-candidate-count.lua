-- Adds what an instance has counted of a candidate.
-- KEYS  the candidate
-- ARGV  its version; how many counts; each count's field, and the number to add
-- Reply the time; whether the candidate is still there
local unix = now + 1735689600000
if call('HGET', KEYS[1], 'version') ~= ARGV[1] then
	return { unix, 0 }
end
for i = 1, tonumber(ARGV[2]) do
	call('HINCRBY', KEYS[1], ARGV[2 * i + 1], ARGV[2 * i + 2])
end
return { unix, 1 }
