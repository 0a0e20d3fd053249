package dev.ratelimit.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * Beans with limited methods of all common kinds.
 */
public final class LimitedBeans {

	private LimitedBeans() {
	}

	@Service
	public static class Quotes {

		private final AtomicInteger calls = new AtomicInteger();

		int calls() {
			return this.calls.get();
		}

		@RateLimited(value = "2/d", key = "global")
		public int value() {
			return this.calls.incrementAndGet();
		}

		@RateLimited(value = "2/d", key = "global")
		int ofPackage() {
			return this.calls.incrementAndGet();
		}

		@RateLimited(value = "2/d", key = "global")
		public Mono<Integer> mono() {
			int call = this.calls.incrementAndGet();
			return Mono.just(call);
		}

		@RateLimited(value = "2/d", key = "global")
		public Flux<Integer> flux() {
			return Flux.just(this.calls.incrementAndGet(), 0);
		}

		@RateLimited(value = "2/d", key = "global")
		public CompletableFuture<Integer> future() {
			return CompletableFuture.completedFuture(this.calls.incrementAndGet());
		}

		@RateLimited(value = "2/d", key = "global")
		@RateLimited(id = "wide", value = "3/d", key = "global")
		public void repeated() {
		}

		@RateLimited("2/d")
		public void ofCaller() {
		}

		@RateLimited(value = "2", algorithm = "concurrency", key = "global")
		public Mono<String> heldLater() {
			return Mono.never();
		}

		@RateLimited(value = "1", algorithm = "concurrency", key = "global")
		public void held(Runnable work) {
			work.run();
		}

		@RateLimited(value = "1", algorithm = "concurrency", key = "global")
		public CompletableFuture<String> heldInFuture(CompletableFuture<String> work) {
			return work;
		}

		@RateLimited(id = "hourly", value = "1/h", burst = 3, algorithm = "leaky-bucket", key = "global")
		@RateLimited(id = "slot", value = "1000", algorithm = "concurrency", key = "global")
		public Mono<String> heldForAnHour() {
			return Mono.fromSupplier(() -> "held " + this.calls.incrementAndGet());
		}

		@RateLimited(value = "10/s", burst = 3, algorithm = "leaky-bucket", key = "global")
		public Mono<Long> paced() {
			return Mono.just(System.nanoTime());
		}

		public int inside() {
			return value();
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class EarlyCalls {

		@Bean
		Quotes quotes() {
			return new Quotes();
		}

		@Bean
		Kept kept(Quotes quotes) {
			return new Kept(quotes.mono());
		}

		/**
		 * Keeps a publisher, which it requested before rules were active.
		 *
		 * @param mono the publisher
		 */
		public record Kept(Mono<Integer> mono) {

		}

	}

	@Service
	@RateLimited(value = "2/d", key = "global")
	public static class OfClass {

		public void one() {
		}

		public void two() {
		}

		@RateLimited.Exempt
		public void exempt() {
		}

		@RateLimited(value = "1/d", key = "global")
		public void own() {
		}

		void hidden() {
		}

	}

	@Controller
	@RateLimited(value = "2/d", key = "global")
	public static class Mixed {

		@GetMapping("/mixed")
		@ResponseBody
		public String handler() {
			return "";
		}

		public void plain() {
		}

		@RateLimited(value = "1/d", key = "global")
		public void plainWithOwn() {
		}

	}

	public interface Client {

		@RateLimited(value = "2/d", key = "global")
		String call();

		default String free() {
			return "free";
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class Clients {

		@Bean
		FactoryBean<Client> client() {
			return new ClientFactory();
		}

	}

	public static class ClientFactory implements FactoryBean<Client> {

		@Override
		public Client getObject() {
			return (Client) Proxy.newProxyInstance(Client.class.getClassLoader(), new Class<?>[] { Client.class },
					(proxy, method, arguments) -> method.getName());
		}

		@Override
		public Class<?> getObjectType() {
			return Client.class;
		}

	}

	@Service
	public static class ClientOfOwn implements Client {

		@Override
		public String call() {
			return "own";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	public static class AsyncBeans {

		@Bean
		AsyncQuotes asyncQuotes() {
			return new AsyncQuotes();
		}

	}

	public static class AsyncQuotes {

		@Async
		@RateLimited(value = "1/d", key = "global")
		public void later() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class LazyBeans {

		@Bean
		@Lazy
		LazyQuotes lazyQuotes() {
			throw new IllegalStateException("nobody asked for it");
		}

	}

	public static class LazyQuotes {

		@RateLimited(id = "lazy", value = "1/d", key = "global")
		public void value() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class UndeclaredBeans {

		@Bean
		Object made() {
			return new LazyQuotes();
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class UndeclaredPrototypes {

		@Bean
		@Scope("prototype")
		Object later() {
			return new LazyQuotes();
		}

	}

	public static class FinalMethod {

		@RateLimited(value = "1/d", key = "global")
		public final void value() {
		}

	}

	public static class PrivateMethod {

		@RateLimited(value = "1/d", key = "global")
		private void value() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class BeanMethod {

		@Bean
		@RateLimited(value = "1/d", key = "global")
		String text() {
			return "";
		}

	}

	public static class Plain {

		public void value() {
		}

	}

	public static class ByHeader {

		@RateLimited(value = "1/d", key = "header:X-Key")
		public void value() {
		}

	}

	public static class ByArgument {

		@RateLimited(value = "1/d", key = "arg:tenant")
		public String value(int size, String tenant) {
			return tenant + size;
		}

		@RateLimited(value = "1/d", key = { "arg:size", "global" })
		public Mono<Integer> later(Integer size) {
			return Mono.just(size);
		}

	}

	public static class ByArgumentThatIsNot {

		@RateLimited(value = "1/d", key = "arg:tenent")
		public void value(String tenant) {
		}

	}

	public static class ByObject {

		@RateLimited(value = "1/d", key = "arg:tenant")
		public void value(Object tenant) {
		}

	}

	public static class ByUser {

		@RateLimited(value = "1/d", key = "user")
		public void value() {
		}

	}

	public static class MissingIp {

		@RateLimited(value = "1/d", onMissingKey = MissingKeyPolicy.IP)
		public void value() {
		}

	}

	public static class CostOfRequest {

		@RateLimited(value = "1/d", key = "global", cost = "header:X-Cost")
		public void value() {
		}

	}

	public static class Tarred {

		@RateLimited(value = "1/d", key = "global", onExcess = ExcessPolicy.TARPIT)
		public void value() {
		}

	}

	public static class Holding {

		@RateLimited(value = "1/s", key = "global", algorithm = "leaky-bucket")
		public void value() {
		}

	}

	public static class NamesNothing {

		@RateLimited(rule = "nope")
		public void value() {
		}

	}

	public static class ExemptFromNothing {

		@RateLimited(value = "1/d", key = "global")
		@RateLimited.Exempt("nope")
		public void value() {
		}

	}

}
