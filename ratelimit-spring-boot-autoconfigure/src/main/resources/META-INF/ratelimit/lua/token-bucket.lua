-- Token bucket. The state is one integer, now * refill + deficit, in units of 1/unit token;
-- no key means full. The arithmetic is that of TokenBucketArithmetic.
-- Arguments of a charge: refill per millisecond, unit, capacity * unit.
algorithms['token-bucket'] = {
	arguments = 3,

	look = function(key, cost, at, now)
		local state = tonumber(redis.call('GET', key) or 0)
		local deficit = state - now * ARGV[at]
		if deficit < 0 then
			deficit = 0
		end
		deficit = deficit + cost * ARGV[at + 1]
		return deficit <= tonumber(ARGV[at + 2]), state, deficit
	end,

	take = function(key, deficit, at, now)
		local refill = tonumber(ARGV[at])
		redis.call('SET', key, string.format('%.0f', now * refill + deficit),
			'PX', string.format('%.0f', math.ceil(deficit / refill) + 1000))
	end
}
