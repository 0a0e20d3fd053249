-- Token bucket, the twin of TokenBucketCalculator. The state is one integer, now * refill + deficit,
-- in units of 1/unit token; 0 means full.
-- Arguments: refill per millisecond, unit, burst * unit, (burst + credit) * unit, the largest deficit.

-- arguments
refill, unit, full, capacity, most

-- state
state

-- ahead
state > now * refill + most

-- cut
state, ttl = now * refill + most, math.ceil(most / refill) + 1000

-- look
local filled = now * refill
local deficit = state - filled
if deficit < 0 then
	deficit = 0
end
local fits = deficit < full
deficit = deficit + cost * unit
fits = fits and deficit <= capacity

-- reply
state

-- take
state, ttl = filled + deficit, math.ceil(deficit / refill) + 1000

-- settle
local filled = now * refill
local before = math.max(0, state - filled)
local change = units * unit
if units > 0 then
	change = math.max(0, change - math.max(0, now - taken) * refill)
elseif (now - taken) * refill >= capacity then
	change = 0
end
local deficit = math.min(before + change, math.max(before, 2 * capacity))
state, ttl = filled + deficit, deficit > 0 and math.ceil(deficit / refill) + 1000 or 0

-- used
local used = math.ceil(math.max(0, state - now * refill) / unit)
