-- Starts a candidate, unless the rules that it is based on have changed, or there is another one. The counter goes up with
-- each change; its last six digits are random. Versions of candidates are used once: their buckets are named after them.
-- KEYS  the newest version, the candidate, the log
-- ARGV  the version and the digest that it is based on, 0 and empty for none; six random digits; its text; the user; the
--       note; the entry of the log
-- Reply the time; its version, 0 if the rules have changed, -1 if there is another one; the newest version, or the other one
local unix = now + 1735689600000
local head = call('HMGET', KEYS[1], 'version', 'digest')
local newest = tonumber(head[1] or 0) or 0
if newest ~= tonumber(ARGV[1]) or (head[2] or '') ~= ARGV[2] then
	return { unix, 0, newest }
end
local known = call('HMGET', KEYS[2], 'count', 'last', 'version')
if known[3] then
	return { unix, -1, tonumber(known[3]) }
end
local version = math.max(newest, tonumber(known[2] or 0)) + 1
local count = math.floor(tonumber(known[1] or 0) / 1000000) + 1
call('HSET', KEYS[2], 'count', format('%.0f', count * 1000000 + ARGV[3]), 'last', format('%.0f', version), 'version',
	format('%.0f', version), 'base', ARGV[1], 'at', format('%.0f', unix), 'by', ARGV[5], 'note', ARGV[6], 'text', ARGV[4])
call('XADD', KEYS[3], 'MAXLEN', '~', '1000', '*', 'candidate', format('%.0f', version), 'change', ARGV[7])
return { unix, version, newest }
