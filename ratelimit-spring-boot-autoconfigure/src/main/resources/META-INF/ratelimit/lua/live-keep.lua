-- Makes a document the newest one, and forgets all but the last 50 versions. Times are Unix times in ms.
-- KEYS  the newest version, all versions, the log
local unix = now + 1735689600000
local function keep(former, version, digest, activate, at, meta, text, revisions, log)
	local id = format('%.0f', version)
	-- Other versions of the library may have written other fields, which say nothing of this version.
	call('DEL', KEYS[1])
	call('HSET', KEYS[1], 'version', id, 'digest', digest, 'activate', activate, 'at', at, 'meta', meta, 'text', text,
		'revisions', revisions)
	call('HSET', KEYS[2], id, at .. ' ' .. digest .. ' ' .. meta, id .. ':text', text)
	for old = math.max(1, former - 49), math.min(former, version - 50) do
		call('HDEL', KEYS[2], format('%.0f', old), format('%.0f:text', old))
	end
	call('XADD', KEYS[3], 'MAXLEN', '~', '1000', '*', 'version', id, 'change', log)
end
