-- Counts the instances that are there: each says so every few seconds, and is forgotten when it has not for a while.
-- KEYS  the sorted set of instances, by the time each was heard of last
-- ARGV  this instance; ms after which one is forgotten, 0 if this one leaves
-- Reply the time, how many there are
if ARGV[2] == '0' then
	call('ZREM', KEYS[1], ARGV[1])
else
	-- A time of before the clock was set back says nothing. An instance that is there says so again soon, and the clocks of
	-- instances differ by less.
	call('ZREMRANGEBYSCORE', KEYS[1], format('(%d', now + ARGV[2]), '+inf')
	call('ZADD', KEYS[1], format('%d', now), ARGV[1])
	call('ZREMRANGEBYSCORE', KEYS[1], '-inf', format('(%d', now - ARGV[2]))
	call('PEXPIRE', KEYS[1], ARGV[2])
end
return { now, call('ZCARD', KEYS[1]) }
