-- The remaining lifetime of a key, in ms. If the key has none (for example after PERSIST), it gets one day.
local function lifetime(key)
	local ttl = call('PTTL', key)
	return ttl == -1 and 86400000 or math.max(0, ttl)
end
