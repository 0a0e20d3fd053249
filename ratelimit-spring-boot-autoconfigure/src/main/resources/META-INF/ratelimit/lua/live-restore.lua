-- Takes back a version from an instance that knows it, if a newer one than that which is there.
-- ARGV  the version; its digest; when it became active; when it was written; who, why, and what; its text; the last change
--       of each entry; the entry of the log
-- Reply the time; whether it was taken back
local former = tonumber(call('HGET', KEYS[1], 'version') or 0) or 0
if former >= tonumber(ARGV[1]) then
	return { unix, 0 }
end
keep(former, tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
return { unix, 1 }
