package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.StringCodec;

/**
 * A contestant that runs a script with one key. The script is loaded once, and is called
 * by its digest.
 */
final class ScriptContestant extends LettuceContestant<String> {

	private final String digest;

	private final ScriptOutputType outputType;

	private final String[] arguments;

	private ScriptContestant(RedisAddress redis, String script, ScriptOutputType outputType, Long... arguments) {
		super(redis, StringCodec.UTF8);
		this.digest = connection().sync().scriptLoad(script);
		this.outputType = outputType;
		this.arguments = List.of(arguments).stream().map(String::valueOf).toArray(String[]::new);
	}

	static ScriptContestant noop(Setup setup) {
		return new ScriptContestant(setup.redis(), "return 1", ScriptOutputType.INTEGER);
	}

	static ScriptContestant floor(Setup setup) {
		Limit limit = setup.limit();
		long cost = limit.unitsPerToken();
		return new ScriptContestant(setup.redis(), read("floor.lua"), ScriptOutputType.MULTI, limit.unitsPerMilli(),
				cost, limit.capacity() * cost);
	}

	@Override
	public boolean limits() {
		return this.arguments.length > 0;
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		RedisFuture<Object> reply = commands().evalsha(this.digest, this.outputType, new String[] { key },
				this.arguments);
		return reply.thenApply(ScriptContestant::isAllowed);
	}

	private static boolean isAllowed(Object reply) {
		Object flag = (reply instanceof List<?> list) ? list.get(0) : reply;
		return Long.valueOf(1).equals(flag);
	}

	private static String read(String resource) {
		try (InputStream script = ScriptContestant.class.getResourceAsStream(resource)) {
			return new String(Objects.requireNonNull(script, resource).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
