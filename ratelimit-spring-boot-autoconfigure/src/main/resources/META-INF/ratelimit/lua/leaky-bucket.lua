-- Leaky bucket as a queue, the twin of LeakyBucketCalculator. The state is one integer, the time in microseconds when all
-- units ahead have gone; 0 means that none is ahead.
-- Arguments: interval between units, that interval for as many as have room, and how far the state is ahead at most, in
-- microseconds.

-- arguments
interval, room, most

-- state
state

-- ahead
state > now * 1000 + most

-- cut
state, ttl = now * 1000 + most, math.ceil(most / 1000) + 1000

-- look
local now_us = now * 1000
local free = math.max(state, now_us) + cost * interval
local fits = free - now_us <= room

-- reply
state

-- take
state, ttl = free, math.ceil((free - now_us) / 1000) + 1000

-- settle
local now_us = now * 1000
local before = math.max(0, state - now_us)
local change = units * interval
if units > 0 then
	change = math.max(0, change - math.max(0, now - taken) * 1000)
elseif (now - taken) * 1000 >= room then
	change = 0
end
local ahead = math.min(before + change, math.max(before, 2 * room))
state, ttl = now_us + ahead, ahead > 0 and math.ceil(ahead / 1000) + 1000 or 0

-- used
local used = math.ceil(math.max(0, state - now * 1000) / interval)
