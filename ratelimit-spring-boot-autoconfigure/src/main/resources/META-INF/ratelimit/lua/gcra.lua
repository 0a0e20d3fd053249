-- GCRA, the twin of GcraCalculator. The state is one integer, the theoretical arrival time in microseconds; 0 means that
-- it has passed.
-- Arguments: interval between units, tolerance, and how far the state is ahead at most, in microseconds.

-- arguments
interval, tolerance, most

-- state
state

-- ahead
state > now * 1000 + most

-- cut
state, ttl = now * 1000 + most, math.ceil(most / 1000) + 1000

-- look
local arrived = now * 1000
local tat = math.max(state, arrived) + cost * interval
local fits = tat - arrived <= tolerance

-- reply
state

-- take
state, ttl = tat, math.ceil((tat - arrived) / 1000) + 1000

-- settle
local arrived = now * 1000
local before = math.max(0, state - arrived)
local change = units * interval
if units > 0 then
	change = math.max(0, change - math.max(0, now - taken) * 1000)
elseif (now - taken) * 1000 >= tolerance then
	change = 0
end
local ahead = math.min(before + change, math.max(before, 2 * tolerance))
state, ttl = arrived + ahead, ahead > 0 and math.ceil(ahead / 1000) + 1000 or 0

-- used
local used = math.ceil(math.max(0, state - now * 1000) / interval)
