-- Writes the next version, unless another one was written since.
-- ARGV  the version and the digest that it is based on, 0 and empty for none; ms until it becomes active, 0 for at once;
--       its digest; user, note, and kind; its text; the last change of each entry; the entry of the log
-- Reply the time; whether it was written; the version that is now the newest; when it becomes active
local head = call('HMGET', KEYS[1], 'version', 'digest')
local former = tonumber(head[1] or 0) or 0
if former ~= tonumber(ARGV[1]) or (head[2] or '') ~= ARGV[2] then
	return { unix, 0, former, 0 }
end
local activate = 0
if ARGV[3] ~= '0' then
	activate = unix + ARGV[3]
end
keep(former, former + 1, ARGV[4], format('%.0f', activate), format('%.0f', unix), ARGV[5], ARGV[6], ARGV[7], ARGV[8])
return { unix, 1, former + 1, activate }
