package dev.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;

/**
 * The command that calls a script, and the future of its reply. A command of the client
 * library consists of several objects and one more for each argument. This command writes
 * the arguments without these objects. If the server does not know the script, the
 * command is sent once more, with the text of the script.
 */
class ScriptCommand extends CompletableFuture<long[]> implements RedisCommand<byte[], byte[], long[]> {

	private final StatefulConnection<byte[], byte[]> connection;

	private final ScriptCall call;

	private CommandType type;

	private CommandOutput<byte[], byte[], long[]> output = newOutput();

	ScriptCommand(StatefulConnection<byte[], byte[]> connection, ScriptCall call, CommandType type) {
		this.connection = connection;
		this.call = call;
		this.type = type;
	}

	final ScriptCommand send() {
		this.connection.dispatch(this);
		return this;
	}

	final ScriptCall call() {
		return this.call;
	}

	/**
	 * Called when the command is written to the connection, in the order of all commands.
	 */
	void written() {
	}

	CommandOutput<byte[], byte[], long[]> newOutput() {
		return new LongsOutput(ByteArrayCodec.INSTANCE);
	}

	@Override
	public final void encode(ByteBuf buf) {
		LuaScript script = this.call.script();
		Resp.call(buf, (this.type == CommandType.EVALSHA) ? script.byDigest() : script.byText(), this.call.keys(),
				this.call.arguments());
		written();
	}

	@Override
	public final void complete() {
		if (!this.output.hasError()) {
			complete(this.output.get());
		}
		else if (this.type == CommandType.EVALSHA && this.output.getError().startsWith("NOSCRIPT")) {
			this.type = CommandType.EVAL;
			this.output = newOutput();
			send();
		}
		else {
			completeExceptionally(new RedisCommandExecutionException(this.output.getError()));
		}
	}

	@Override
	public boolean completeExceptionally(Throwable failure) {
		return super.completeExceptionally(RedisFailures.translate(failure, this.connection));
	}

	@Override
	public final void cancel() {
		cancel(false);
	}

	// The client of a cluster sends a command to the node of its first key.
	@Override
	public final CommandArgs<byte[], byte[]> getArgs() {
		return new CommandArgs<>(ByteArrayCodec.INSTANCE).addKeys(this.call.keys());
	}

	@Override
	public final ProtocolKeyword getType() {
		return this.type;
	}

	@Override
	public final CommandOutput<byte[], byte[], long[]> getOutput() {
		return this.output;
	}

	@Override
	public final void setOutput(CommandOutput<byte[], byte[], long[]> output) {
		this.output = output;
	}

	/**
	 * Reads a flat array of integers without boxing.
	 */
	static class LongsOutput extends CommandOutput<byte[], byte[], long[]> {

		private static final long[] NONE = {};

		private int filled;

		LongsOutput(RedisCodec<byte[], byte[]> codec) {
			super(codec, NONE);
		}

		@Override
		public void multi(int count) {
			this.output = new long[Math.max(0, count)];
		}

		@Override
		public void set(long integer) {
			this.output[this.filled++] = integer;
		}

		@Override
		public void set(ByteBuffer bytes) {
			throw new IllegalStateException("an integer was expected");
		}

		final void skip() {
			this.filled++;
		}

	}

}
