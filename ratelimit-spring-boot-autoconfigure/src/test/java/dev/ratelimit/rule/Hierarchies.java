package dev.ratelimit.rule;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.ratelimit.RateLimited;

import org.springframework.core.annotation.AliasFor;

/**
 * Classes with annotations from several sources. The annotated method is {@code call}.
 */
public final class Hierarchies {

	private Hierarchies() {
	}

	public interface Contract {

		@RateLimited("1/d")
		void call();

	}

	public interface WithDefault {

		@RateLimited("8/d")
		default void call() {
		}

	}

	public static class Base {

		@RateLimited("2/d")
		public void call() {
		}

	}

	public static class OwnOfAll extends Base implements Contract {

		@Override
		@RateLimited("3/d")
		public void call() {
		}

	}

	public static class SuperclassOverInterface extends Base implements Contract {

		@Override
		public void call() {
		}

	}

	public static class GrandChild extends OwnOfAll {

		@Override
		public void call() {
		}

	}

	public static class OfInterface implements Contract {

		@Override
		public void call() {
		}

	}

	@RateLimited("9/d")
	public static class InterfaceMethodOverClass implements Contract {

		@Override
		public void call() {
		}

	}

	public static class OfDefault implements WithDefault {

	}

	@RateLimited("4/d")
	public static class OfClass extends Marked {

		public void call() {
		}

	}

	@RateLimited("5/d")
	public static class Marked implements MarkedContract {

	}

	@RateLimited("6/d")
	public interface MarkedContract {

	}

	public static class SuperclassOverInterfaceOfIt extends Marked implements MarkedContract {

		public void call() {
		}

	}

	public static class OfTypeOfInterface implements MarkedContract {

		public void call() {
		}

	}

	public abstract static class Generic<T> {

		@RateLimited("2/d")
		public void call(T argument) {
		}

	}

	public static class Bridged extends Generic<String> {

		@Override
		public void call(String argument) {
		}

	}

	public static class BridgedWithOwn extends Generic<String> {

		@Override
		@RateLimited("3/d")
		public void call(String argument) {
		}

	}

	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(key = "global", cost = "2")
	public @interface Everybody {

		@AliasFor(annotation = RateLimited.class, attribute = "value")
		String[] limits() default "7/d";

		@AliasFor(annotation = RateLimited.class)
		String id() default "";

	}

	public static class Composed {

		@Everybody(limits = "3/d", id = "everybodys")
		public void call() {
		}

	}

	public static class ComposedByDefault {

		@Everybody
		@RateLimited(id = "beside", value = "1/d")
		public void call() {
		}

	}

	@RateLimited("1/d")
	public static class Exempted {

		@RateLimited.Exempt
		public void call() {
		}

		public void limited() {
		}

	}

	@RateLimited.Exempt
	public static class LimitedInAnExemptClass {

		@RateLimited("1/d")
		public void call() {
		}

		public void exempt() {
		}

	}

	@RateLimited(id = "class", value = "1/d")
	@RateLimited(rule = "elsewhere")
	public static class ExemptedFromOne {

		@RateLimited.Exempt({ "class", "another" })
		public void call() {
		}

	}

	public static class InsteadOfAnother {

		@RateLimited("1/d")
		@RateLimited.Exempt("another")
		public void call() {
		}

	}

	public static class Contradiction {

		@RateLimited("1/d")
		@RateLimited.Exempt
		public void call() {
		}

	}

	@RateLimited(id = "class", value = "1/d")
	@RateLimited.Exempt("class")
	public static class ContradictionByName {

		public void call() {
		}

	}

	public static class ExemptInASuperclass extends Exempted {

		@Override
		public void call() {
		}

	}

}
