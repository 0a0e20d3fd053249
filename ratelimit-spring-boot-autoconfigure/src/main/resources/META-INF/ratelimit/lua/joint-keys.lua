-- Joint keys in scripts that come with single buckets: read once, worked on as numbers, written once.
local joints = {}

local function open(key, header)
	local joint = joints[key]
	if joint then
		return joint
	end
	local layout, size = '<c' .. #header, 0
	for at = 2, #header, 3 do
		local kind = string.byte(header, at)
		local bytes = 6 + math.floor(kind / 4) % 2
		layout, size = layout .. string.rep('I' .. bytes, kind % 4), size + kind % 4 * bytes
	end
	if struct.size('l') < 8 then
		error('several limits in one key need a 64-bit server')
	end
	local value, others, longest = call('GET', key), '', 0
	if value then
		value, others, longest = sort(key, value, header)
	else
		value = header .. string.rep('\0', size)
	end
	-- The header, and the numbers behind it.
	joint = { struct.unpack(layout, value) }
	table.remove(joint)
	joint.key, joint.layout, joint.others, joint.longest = key, layout, others, longest
	joint.stale = string.byte(header)
	joints[key], joints[#joints + 1] = joint, joint
	return joint
end

local function keep(joint, first, ttl, ...)
	for i, number in ipairs({ ... }) do
		joint[first + i] = ttl > 0 and number or 0
	end
	joint.longest = math.max(joint.longest, ttl)
	joint.stale, joint['kept' .. first] = joint.stale - (joint['kept' .. first] and 0 or 1), true
	joint.changed = true
end

local function write(joint)
	local left = 0
	for i = 2, #joint do
		left = left + joint[i]
	end
	if left == 0 and joint.others == '' then
		call('DEL', joint.key)
		return
	end
	local ttl = math.max(joint.longest, joint.stale > 0 and lifetime(joint.key) or 1)
	call('SET', joint.key, struct.pack(joint.layout, unpack(joint)) .. joint.others, 'PX', format('%d', ttl))
end

local function save()
	for _, joint in ipairs(joints) do
		if joint.changed then
			write(joint)
			joint.changed = false
		end
	end
end
