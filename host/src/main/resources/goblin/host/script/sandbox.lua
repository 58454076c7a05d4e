-- SPDX-License-Identifier: Apache-2.0
--
-- Prepares a fresh Lua 5.1 state for scripts of clients. Gets a table of Java functions; returns the table that holds
-- the real globals, the proxy that scripts see instead of it, and the handler of a script's errors.
--
-- Scripts see only proxies of tables they share, so that no script can change what the next one finds.

local raw = ...

local error, type, tostring, tonumber, select, rawget, next = error, type, tostring, tonumber, select, rawget, next
local plainRawset, plainSetmetatable, plainPcall = rawset, setmetatable, pcall
local find, match, gmatch, gsub = string.find, string.match, string.gmatch, string.gsub
local insert, concat, spread = table.insert, table.concat, unpack
local getinfo = debug.getinfo
local floor = math.floor
local collect = collectgarbage
local FAIL = raw.fail

-- Shared tables behind proxies -------------------------------------------------------------------------------------

local guarded = {}

local function refuse()
  error('Attempt to modify a readonly table', 2)
end

local locked = {}
do
  local meta = { __newindex = refuse }
  meta.__metatable = locked
  plainSetmetatable(locked, meta)
  guarded[locked] = true
end

local function guard(contents, metatable)
  local proxy = plainSetmetatable({}, { __index = contents, __newindex = refuse, __metatable = metatable or locked })
  guarded[proxy] = true
  return proxy
end

-- What scripts may call --------------------------------------------------------------------------------------------

-- Java functions cannot raise errors; they return FAIL and a text, which becomes an error at the caller's line.
local function passOn(first, ...)
  if first == FAIL then
    error((...), 3)
  end
  return first, ...
end

local function java(name)
  local f = raw[name]
  return function(...)
    return passOn(f(...))
  end
end

local real = {}
real._VERSION = _VERSION
for _, name in ipairs { 'assert', 'error', 'getmetatable', 'gcinfo', 'ipairs', 'next', 'pairs', 'rawequal', 'rawget',
                        'select', 'tonumber', 'tostring', 'type' } do
  real[name] = _G[name]
end

function real.rawset(t, k, v)
  if guarded[t] then
    error('Attempt to modify a readonly table', 2)
  end
  return plainRawset(t, k, v)
end

function real.setmetatable(t, meta)
  if guarded[t] then
    error('Attempt to modify a readonly table', 2)
  end
  return plainSetmetatable(t, meta)
end

-- Errors of commands are tables; pcall gives their text, as it always did.
local function settle(ok, first, ...)
  if not ok and type(first) == 'table' then
    local text = rawget(first, 'err')
    if type(text) == 'string' then
      return false, text
    end
  end
  return ok, first, ...
end

function real.pcall(...)
  if select('#', ...) == 0 then
    error("bad argument #1 to 'pcall' (value expected)", 2)
  end
  return settle(plainPcall(...))
end

-- The library's own xpcall would run the handler where a script cannot be stopped.
local function handled(handler, ok, ...)
  if ok then
    return true, ...
  end
  local fine, result = plainPcall(handler, ...)
  if fine then
    return false, result
  end
  return false, 'error in error handling'
end

function real.xpcall(f, handler)
  return handled(handler, plainPcall(f))
end

function real.loadstring(chunk, name)
  if type(chunk) ~= 'string' and type(chunk) ~= 'number' then
    error("bad argument #1 to 'loadstring' (string expected, got " .. type(chunk) .. ')', 2)
  end
  return passOn(raw.load(tostring(chunk), tostring(name or chunk)))
end

function real.load(reader, name)
  if type(reader) ~= 'function' then
    error("bad argument #1 to 'load' (function expected, got " .. type(reader) .. ')', 2)
  end
  local pieces, count = {}, 0
  while true do
    local piece = reader()
    if piece == nil or piece == '' then
      break
    elseif type(piece) ~= 'string' then
      error('reader function must return a string', 2)
    end
    count = count + 1
    pieces[count] = piece
  end
  return passOn(raw.load(concat(pieces), tostring(name or '=(load)')))
end

-- The library computes the number of results in a type that overflows.
function real.unpack(list, first, last)
  if type(list) ~= 'table' then
    error("bad argument #1 to 'unpack' (table expected, got " .. type(list) .. ')', 2)
  end
  if first == nil and last == nil then
    if #list >= 8000 then
      error('too many results to unpack', 2)
    end
    return spread(list)
  end
  first = tonumber(first) or 1
  last = tonumber(last) or #list
  if not (last - first < 8000) then
    error('too many results to unpack', 2)
  end
  return spread(list, first, last)
end

function real.collectgarbage(option, argument)
  if option == nil or option == 'collect' or option == 'count' or option == 'step' then
    return collect(option or 'collect', argument)
  end
  return 0
end

real.coroutine = guard(coroutine)

-- string: a pattern is matched by recursion on the thread's stack, so its length is bounded.

local LONGEST_PATTERN = 4096

local function checkPattern(name, subject, pattern)
  if type(subject) ~= 'string' and type(subject) ~= 'number' then
    error("bad argument #1 to '" .. name .. "' (string expected, got " .. type(subject) .. ')', 3)
  elseif type(pattern) ~= 'string' and type(pattern) ~= 'number' then
    error("bad argument #2 to '" .. name .. "' (string expected, got " .. type(pattern) .. ')', 3)
  elseif type(pattern) == 'string' and #pattern > LONGEST_PATTERN then
    error('pattern too long', 3)
  end
end

local strings = {}
for name, f in pairs(string) do
  strings[name] = f
end

function strings.find(subject, pattern, init, plain)
  if not plain then
    checkPattern('find', subject, pattern)
  end
  return find(subject, pattern, init, plain)
end

function strings.match(subject, pattern, init)
  checkPattern('match', subject, pattern)
  return match(subject, pattern, init)
end

function strings.gmatch(subject, pattern)
  checkPattern('gmatch', subject, pattern)
  return gmatch(subject, pattern)
end

strings.gfind = strings.gmatch

function strings.gsub(subject, pattern, replacement, most)
  checkPattern('gsub', subject, pattern)
  return gsub(subject, pattern, replacement, most)
end

do
  local meta = getmetatable('')
  meta.__index = strings
  real.string = guard(strings)
  meta.__metatable = guard { __index = real.string }
end

local tables = {}
for name, f in pairs(table) do
  tables[name] = f
end

function tables.insert(t, ...)
  if guarded[t] then
    error('Attempt to modify a readonly table', 2)
  end
  return insert(t, ...)
end

real.table = guard(tables)

-- math: the same sequence of random numbers on every machine.

local maths = {}
for name, f in pairs(math) do
  maths[name] = f
end

local function integer(name, position, value)
  local number = tonumber(value)
  if not number then
    error('bad argument #' .. position .. " to '" .. name .. "' (number expected, got "
          .. (value == nil and 'no value' or type(value)) .. ')', 3)
  end
  return floor(number)
end

function maths.random(...)
  local count = select('#', ...)
  local r = raw.random()
  if count == 0 then
    return r
  elseif count > 2 then
    error('wrong number of arguments', 2)
  end
  local low, high = 1, integer('random', 1, (...))
  if count == 2 then
    low, high = high, integer('random', 2, (select(2, ...)))
  end
  if low > high then
    error('bad argument #' .. count .. " to 'random' (interval is empty)", 2)
  end
  return floor(r * (high - low + 1)) + low
end

function maths.randomseed(seed)
  raw.randomseed(integer('randomseed', 1, seed))
end

real.math = guard(maths)

-- Libraries of the server --------------------------------------------------------------------------------------------

local function library(name, functions, constants)
  local contents = constants or {}
  for _, f in ipairs(functions) do
    contents[f] = java(name .. '_' .. f)
  end
  real[name] = guard(contents)
end

library('cjson',
  { 'encode', 'decode', 'encode_max_depth', 'decode_max_depth', 'encode_number_precision', 'encode_keep_buffer',
    'encode_sparse_array', 'encode_invalid_numbers', 'decode_invalid_numbers' },
  { null = raw.null, _NAME = 'cjson', _VERSION = '2.1.0' })
library('cmsgpack', { 'pack', 'unpack', 'unpack_one', 'unpack_limit' },
  { _NAME = 'cmsgpack', _VERSION = 'lua-cmsgpack 0.4.0' })
library('struct', { 'pack', 'unpack', 'size' })
library('bit',
  { 'tobit', 'tohex', 'bnot', 'band', 'bor', 'bxor', 'lshift', 'rshift', 'arshift', 'rol', 'ror', 'bswap' })

-- redis --------------------------------------------------------------------------------------------------------------

local function raise(text)
  error({ err = text }, 0)
end

local redis = {
  LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
  REPL_NONE = 0, REPL_AOF = 1, REPL_SLAVE = 2, REPL_REPLICA = 2, REPL_ALL = 3,
  REDIS_VERSION = raw.version, REDIS_VERSION_NUM = raw.versionNumber,
}

local command = raw.call

function redis.call(...)
  local value, failed = command(...)
  if failed then
    if value == FAIL then
      raise('ERR ' .. failed)
    end
    error(value, 0)
  end
  return value
end

function redis.pcall(...)
  local value, failed = command(...)
  if value == FAIL then
    return { err = 'ERR ' .. failed }
  end
  return value
end

-- "-CODE text", "CODE text" and "text" all become "CODE text".
local function errorTable(text)
  if text:byte(1) == 45 then
    text = text:sub(2)
  end
  text = text:gsub('^[\r\n]+', ''):gsub('[\r\n]+$', '')
  if not text:find(' ', 1, true) then
    text = 'ERR ' .. text
  end
  return { err = text }
end

function redis.error_reply(...)
  if select('#', ...) ~= 1 or type((...)) ~= 'string' then
    return { err = 'ERR wrong number or type of arguments' }
  end
  return errorTable((...))
end

function redis.status_reply(...)
  if select('#', ...) ~= 1 or type((...)) ~= 'string' then
    return { err = 'ERR wrong number or type of arguments' }
  end
  return { ok = (...) }
end

function redis.sha1hex(...)
  if select('#', ...) ~= 1 then
    raise('ERR wrong number of arguments')
  end
  local value = ...
  return (raw.sha1hex((type(value) == 'string' or type(value) == 'number') and tostring(value) or ''))
end

function redis.log(...)
  local count = select('#', ...)
  if count < 2 then
    raise('ERR redis.log() requires two arguments or more.')
  end
  local level = tonumber((...))
  if not level then
    raise('ERR First argument must be a number (log level).')
  elseif not (level >= 0 and level < 4) then
    raise('ERR Invalid log level.')
  end
  local words = {}
  for i = 2, count do
    local word = select(i, ...)
    if type(word) == 'string' or type(word) == 'number' then
      words[#words + 1] = word
    end
  end
  raw.log(floor(level), concat(words, ' '))
end

function redis.setresp(...)
  if select('#', ...) ~= 1 then
    raise('ERR redis.setresp() requires one argument.')
  end
  local version = tonumber((...))
  if version ~= 2 and version ~= 3 then
    raise('ERR RESP version must be 2 or 3.')
  end
  raw.setresp(version)
end

-- There are no replicas and no log of commands to keep anything from.
function redis.set_repl(...)
  if select('#', ...) ~= 1 then
    raise('ERR redis.set_repl() requires one argument.')
  end
  local flags = tonumber((...)) or 0
  if not (flags >= 0 and flags < 4) then
    raise('ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.')
  end
end

function redis.replicate_commands()
  return true
end

function redis.breakpoint()
  return false
end

function redis.debug() end

-- Every authenticated user may call every command.
function redis.acl_check_cmd(...)
  if select('#', ...) == 0 then
    raise('ERR Please specify at least one argument for this redis.acl_check_cmd() call')
  end
  return true
end

real.redis = guard(redis)

-- The end ------------------------------------------------------------------------------------------------------------

plainSetmetatable(real, {
  __index = function(_, name)
    error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
  end,
})
real._G = guard(real, guard {})

-- Adds where the script was to an error. Runs no code of the script, which could not be stopped here.
local function handler(err)
  if raw.killed() then
    err = { err = 'ERR Script killed by user with SCRIPT KILL.' }
  elseif type(err) ~= 'table' or guarded[err] then
    err = { err = 'ERR ' .. tostring(err) }
  end
  local level = 2
  while true do
    local where = getinfo(level, 'Sl')
    if not where then
      return err
    end
    if where.what ~= 'C' and where.what ~= 'tail' and where.source ~= '=sandbox' then
      plainRawset(err, 'source', where.source)
      plainRawset(err, 'line', where.currentline)
      return err
    end
    level = level + 1
  end
end

return real, real._G, handler
