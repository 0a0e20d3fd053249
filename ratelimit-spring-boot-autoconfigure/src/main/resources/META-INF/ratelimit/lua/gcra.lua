-- GCRA, the twin of GcraArithmetic. The state is one integer, the theoretical arrival time in microseconds; no key means
-- that it has passed.
-- Arguments: interval between units and tolerance, in microseconds.

-- look
local following = at + 2
local arrived = now * 1000
local state = tonumber(call('GET', key) or 0)
local tat = math.max(state, arrived) + cost * ARGV[at]
local fits = tat - arrived <= tonumber(ARGV[at + 1])

-- reply
state

-- take
call('SET', key, format('%d', tat), 'PX', format('%d', math.ceil((tat - arrived) / 1000) + 1000))

-- settle
local most, following = 2 * ARGV[at + 1], at + 2
local arrived = now * 1000
local before = math.max(0, tonumber(call('GET', key) or 0) - arrived)
local ahead = math.min(before + units * ARGV[at], math.max(before, most))
if ahead > 0 then
	call('SET', key, format('%d', arrived + ahead), 'PX', format('%d', math.ceil(ahead / 1000) + 1000))
else
	call('DEL', key)
end

-- used
local following = at + 2
local used = math.ceil(math.max(0, tonumber(call('GET', key) or 0) - now * 1000) / ARGV[at])
