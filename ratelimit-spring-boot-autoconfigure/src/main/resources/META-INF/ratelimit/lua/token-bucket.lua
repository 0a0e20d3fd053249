-- Token bucket, the twin of TokenBucketArithmetic. The state is one integer, now * refill + deficit,
-- in units of 1/unit token; no key means full.
-- Arguments: refill per millisecond, unit, capacity * unit.

-- look
local refill, following = tonumber(ARGV[at]), at + 3
local filled = now * refill
local state = tonumber(call('GET', key) or 0)
local deficit = state - filled
if deficit < 0 then
	deficit = 0
end
deficit = deficit + cost * ARGV[at + 1]
local fits = deficit <= tonumber(ARGV[at + 2])

-- take
call('SET', key, format('%.0f', filled + deficit), 'PX', format('%.0f', math.ceil(deficit / refill) + 1000))
