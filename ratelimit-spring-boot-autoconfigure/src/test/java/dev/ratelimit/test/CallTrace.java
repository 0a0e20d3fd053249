package dev.ratelimit.test;

import java.lang.instrument.Instrumentation;
import java.security.CodeSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/**
 * Counts the library types whose methods run, the library frames on the deepest stack,
 * and the futures that the library creates. Must be opened before the classes of the
 * library are loaded: JDK 17 loses the parameter names of classes that are transformed
 * later.
 */
public final class CallTrace implements AutoCloseable {

	private static final String ROOT = "dev.ratelimit.";

	/** Advice in a class of the JDK can only refer to classes of the JDK. */
	private static final String FUTURE_HOOK = CallTrace.class.getName() + ".future";

	private static final Set<String> types = new ConcurrentSkipListSet<>();

	private static final AtomicReference<List<String>> frames = new AtomicReference<>(List.of());

	private static volatile @Nullable Object source;

	private static final AtomicInteger futures = new AtomicInteger();

	/** The threads of the limiter run tasks that do not belong to the traced request. */
	private static final String BACKGROUND = "ratelimit-";

	private static volatile boolean recording;

	private final Instrumentation instrumentation = ByteBuddyAgent.install();

	private final ResettableClassFileTransformer own;

	private final ResettableClassFileTransformer jdk;

	/**
	 * Begin to trace.
	 * @param main a library type whose methods are not traced
	 */
	public CallTrace(Class<?> main) {
		System.getProperties().put(FUTURE_HOOK, (Runnable) CallTrace::madeFuture);
		source = location(main);
		this.own = agent()
			.type((type, loader, module, redefined, domain) -> type.getName().startsWith(ROOT) && domain != null
					&& Objects.equals(domain.getCodeSource().getLocation(), source))
			.transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Entered.class).on(methods())))
			.installOn(this.instrumentation);
		this.jdk = agent().with(RedefinitionStrategy.RETRANSFORMATION)
			.type(ElementMatchers.is(CompletableFuture.class))
			.transform((builder, type, loader, module, domain) -> builder
				.visit(Advice.to(Made.class).on(ElementMatchers.isConstructor())))
			.installOn(this.instrumentation);
	}

	private static AgentBuilder agent() {
		return new AgentBuilder.Default().disableClassFormatChanges().ignore(ElementMatchers.none());
	}

	private static ElementMatcher<MethodDescription> methods() {
		return ElementMatchers.isMethod().and(ElementMatchers.not(ElementMatchers.isAbstract()));
	}

	/**
	 * Reset the counts and start counting.
	 */
	public void start() {
		types.clear();
		frames.set(List.of());
		futures.set(0);
		recording = true;
	}

	/**
	 * Stop counting.
	 * @return the counts since the start
	 */
	public Counts stop() {
		recording = false;
		return new Counts(Set.copyOf(types), frames.get(), futures.get());
	}

	@Override
	public void close() {
		recording = false;
		this.own.reset(this.instrumentation, RedefinitionStrategy.DISABLED);
		this.jdk.reset(this.instrumentation, RedefinitionStrategy.RETRANSFORMATION);
		System.getProperties().remove(FUTURE_HOOK);
	}

	/**
	 * Record the call of a library method.
	 * @param type the type that declares the method
	 */
	public static void entered(String type) {
		if (recording && !Thread.currentThread().getName().startsWith(BACKGROUND)) {
			types.add(type);
			List<String> deep = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
				.walk((stack) -> stack.filter((frame) -> isOurs(frame.getDeclaringClass()))
					.map((frame) -> frame.getClassName().substring(ROOT.length()) + "." + frame.getMethodName())
					.toList());
			frames.accumulateAndGet(deep, (one, other) -> (other.size() > one.size()) ? other : one);
		}
	}

	private static boolean isOurs(Class<?> type) {
		return type.getName().startsWith(ROOT) && Objects.equals(location(type), source);
	}

	private static @Nullable Object location(Class<?> type) {
		CodeSource code = type.getProtectionDomain().getCodeSource();
		return (code != null) ? code.getLocation() : null;
	}

	// If the library creates the future, the frame above the JDK frames is a library
	// frame.
	private static void madeFuture() {
		if (recording) {
			boolean ours = StackWalker.getInstance()
				.walk((stack) -> stack.map(StackWalker.StackFrame::getClassName)
					.filter((name) -> !name.startsWith("java.") && !name.equals(CallTrace.class.getName()))
					.findFirst()
					.filter((name) -> name.startsWith(ROOT))
					.isPresent());
			if (ours) {
				futures.incrementAndGet();
			}
		}
	}

	/**
	 * The counts of a trace.
	 *
	 * @param types the names of the types whose methods ran
	 * @param frames the frames of the library on the deepest stack, the deepest first
	 * @param futures the number of futures that the library created
	 */
	public record Counts(Set<String> types, List<String> frames, int futures) {
	}

	static final class Entered {

		private Entered() {
		}

		@Advice.OnMethodEnter
		static void enter(@Advice.Origin("#t") String type) {
			CallTrace.entered(type);
		}

	}

	static final class Made {

		private Made() {
		}

		@Advice.OnMethodEnter
		static void enter() {
			if (System.getProperties().get("dev.ratelimit.test.CallTrace.future") instanceof Runnable hook) {
				hook.run();
			}
		}

	}

}
