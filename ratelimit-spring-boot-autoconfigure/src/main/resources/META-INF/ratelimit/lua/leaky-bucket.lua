-- Leaky bucket as a queue, the twin of LeakyBucketArithmetic. The state is one integer, the time in microseconds when all
-- units ahead have gone; no key means that none is ahead.
-- Arguments: interval between units, and that interval for as many as have room, in microseconds.

-- look
local following = at + 2
local now_us = now * 1000
local state = tonumber(call('GET', key) or 0)
local free = math.max(state, now_us) + cost * ARGV[at]
local fits = free - now_us <= tonumber(ARGV[at + 1])

-- reply
state

-- take
call('SET', key, format('%d', free), 'PX', format('%d', math.ceil((free - now_us) / 1000) + 1000))

-- settle
local most, following = 2 * ARGV[at + 1], at + 2
local now_us = now * 1000
local before = math.max(0, tonumber(call('GET', key) or 0) - now_us)
local ahead = math.min(before + units * ARGV[at], math.max(before, most))
if ahead > 0 then
	call('SET', key, format('%d', now_us + ahead), 'PX', format('%d', math.ceil(ahead / 1000) + 1000))
else
	call('DEL', key)
end

-- used
local following = at + 2
local used = math.ceil(math.max(0, tonumber(call('GET', key) or 0) - now * 1000) / ARGV[at])
