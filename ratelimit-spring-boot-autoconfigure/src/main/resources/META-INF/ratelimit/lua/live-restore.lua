-- Restores a version from an instance that knows it, if it is newer than the stored one. If the stored one was written later, by
-- an instance that had not seen the newer one, it prevails nevertheless, and its version becomes the newest.
-- ARGV  the version; its digest; when it became active; when it was written; user, note, and kind; its text; the last change
--       of each entry; the entry of the log
-- Reply the time; whether it was restored
local head = call('HMGET', KEYS[1], 'version', 'at', 'digest', 'activate', 'meta', 'text', 'revisions')
local former, known = tonumber(head[1] or 0) or 0, tonumber(ARGV[1])
if former >= known then
	return { unix, 0 }
end
local readable = head[3] and head[4] and head[5] and head[6] and head[7]
if readable and (tonumber(head[2] or 0) or 0) > tonumber(ARGV[4]) then
	keep(former, known + 1, head[3], head[4], head[2], head[5], head[6], head[7], 'written after version ' .. ARGV[1] .. ' was lost')
	return { unix, 0 }
end
keep(former, known, ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
return { unix, 1 }
