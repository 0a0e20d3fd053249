-- Reads what has changed since the last poll.
-- KEYS  the newest version, the switches, the candidate
-- Reply the Unix time in ms; the version; 48 bits of its digest; when it becomes active, 0 for at once; the counters of
--       the switches and of the candidate
local head = call('HMGET', KEYS[1], 'version', 'digest', 'activate')
local digest = head[2] and tonumber(string.sub(head[2], 1, 12), 16) or 0
local function number(text)
	return tonumber(text or 0) or 0
end
return { now + 1735689600000, number(head[1]), digest, number(head[3]), number(call('HGET', KEYS[2], 'count')),
	number(call('HGET', KEYS[3], 'count')) }
