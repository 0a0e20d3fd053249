-- Token bucket, the twin of TokenBucketArithmetic. The state is one integer, now * refill + deficit,
-- in units of 1/unit token; no key means full.
-- Arguments: refill per millisecond, unit, burst * unit, (burst + credit) * unit.

-- look
local refill, following = tonumber(ARGV[at]), at + 4
local filled = now * refill
local state = tonumber(call('GET', key) or 0)
local deficit = state - filled
if deficit < 0 then
	deficit = 0
end
local fits = deficit < tonumber(ARGV[at + 2])
deficit = deficit + cost * ARGV[at + 1]
fits = fits and deficit <= tonumber(ARGV[at + 3])

-- reply
state

-- take
call('SET', key, format('%d', filled + deficit), 'PX', format('%d', math.ceil(deficit / refill) + 1000))

-- settle
local refill, most, following = tonumber(ARGV[at]), 2 * ARGV[at + 3], at + 4
local filled = now * refill
local before = math.max(0, tonumber(call('GET', key) or 0) - filled)
local deficit = math.min(before + units * ARGV[at + 1], math.max(before, most))
if deficit > 0 then
	call('SET', key, format('%d', filled + deficit), 'PX', format('%d', math.ceil(deficit / refill) + 1000))
else
	call('DEL', key)
end

-- used
local following = at + 4
local used = math.ceil(math.max(0, tonumber(call('GET', key) or 0) - now * ARGV[at]) / ARGV[at + 1])
