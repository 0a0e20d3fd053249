package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests that a script call sends the same bytes as the commands of the client library.
 */
class ScriptCommandTests {

	private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

	private static final LuaScript SCRIPT = LuaScript.fewBuckets(RedisClock.SERVER,
			List.of(StraightLayout.of("token-bucket")));

	@Property(tries = 300)
	void aCallIsSentAsTheClientSendsIt(@ForAll @Size(max = 70) List<byte[]> keys,
			@ForAll @Size(max = 70) List<byte[]> arguments) {
		ScriptCall call = new ScriptCall(SCRIPT, keys.toArray(byte[][]::new), arguments.toArray(byte[][]::new));
		for (CommandType type : List.of(CommandType.EVALSHA, CommandType.EVAL)) {
			assertThat(sent(call, type)).isEqualTo(expected(call, type));
		}
	}

	@Property(tries = 20)
	void longArgumentsAreSentAsTheClientSendsThem(@ForAll byte[] part) {
		byte[] argument = new String(part, StandardCharsets.ISO_8859_1).repeat(300)
			.getBytes(StandardCharsets.ISO_8859_1);
		ScriptCall call = new ScriptCall(SCRIPT, new byte[][] { part }, new byte[][] { argument });
		assertThat(sent(call, CommandType.EVALSHA)).isEqualTo(expected(call, CommandType.EVALSHA));
	}

	private static ByteBuf sent(ScriptCall call, CommandType type) {
		ByteBuf sent = Unpooled.buffer();
		new ScriptCommand(mock(), call, type).encode(sent);
		return sent;
	}

	private static ByteBuf expected(ScriptCall call, CommandType type) {
		CommandArgs<byte[], byte[]> args = new CommandArgs<>(CODEC)
			.add(script((type == CommandType.EVAL) ? SCRIPT.byText() : SCRIPT.byDigest()))
			.add(call.keys().length)
			.addKeys(call.keys())
			.addValues(call.arguments());
		ByteBuf expected = Unpooled.buffer();
		new Command<>(type, new ScriptCommand.LongsOutput(CODEC), args).encode(expected);
		return expected;
	}

	// Return the bytes after the command name, which are verified by comparing the entire
	// command.
	private static String script(byte[] start) {
		String rest = new String(start, StandardCharsets.UTF_8).split("\r\n", 4)[3];
		return rest.substring(0, rest.length() - 2);
	}

}
