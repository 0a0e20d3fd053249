-- How long a key lives, in ms. Whoever took its lifetime from it did not say; a day is as good as another time.
local function lifetime(key)
	local ttl = call('PTTL', key)
	return ttl == -1 and 86400000 or math.max(0, ttl)
end
