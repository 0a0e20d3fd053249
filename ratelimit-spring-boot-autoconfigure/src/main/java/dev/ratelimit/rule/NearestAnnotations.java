package dev.ratelimit.rule;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * The annotations of the nearest element that has any. The order of elements is: the
 * method itself, an overridden method of a superclass, a method of an interface, the
 * class, a superclass, an interface of the class. Classes precede interfaces, as for
 * default methods in Java. Immutable.
 *
 * @param <A> the annotation's type
 * @param annotations the annotations of that element, including meta-annotations
 * @param location the kind of the element
 * @param distance the distance of the element among those of its kind
 */
record NearestAnnotations<A extends Annotation>(List<A> annotations, Location location, int distance) {

	/**
	 * Look for annotations.
	 * @param <A> the annotation's type
	 * @param method the method
	 * @param type the annotation's type
	 * @return the nearest annotations, if there are any
	 */
	static <A extends Annotation> Optional<NearestAnnotations<A>> find(AnnotatedMethod method, Class<A> type) {
		return ofMethod(method, type).or(() -> ofClass(method, type));
	}

	static <A extends Annotation> Optional<NearestAnnotations<A>> ofMethod(AnnotatedMethod method, Class<A> type) {
		Method specific = BridgeMethodResolver.getMostSpecificMethod(method.method(), method.type());
		return search(specific, Location.METHOD, type).or(() -> search(specific, Location.INTERFACE_METHOD, type));
	}

	static <A extends Annotation> Optional<NearestAnnotations<A>> ofClass(AnnotatedMethod method, Class<A> type) {
		return search(method.type(), Location.CLASS, type).or(() -> search(method.type(), Location.INTERFACE, type));
	}

	private static <A extends Annotation> Optional<NearestAnnotations<A>> search(AnnotatedElement element,
			Location location, Class<A> type) {
		List<MergedAnnotation<A>> all = MergedAnnotations.from(element, location.strategy).stream(type).toList();
		return all.stream()
			.map(MergedAnnotation::getAggregateIndex)
			.min(Integer::compare)
			.map((nearest) -> new NearestAnnotations<>(at(nearest, all), location, nearest));
	}

	private static <A extends Annotation> List<A> at(int distance, List<MergedAnnotation<A>> all) {
		return all.stream()
			.filter((annotation) -> annotation.getAggregateIndex() == distance)
			.map(MergedAnnotation::synthesize)
			.toList();
	}

	/**
	 * Whether all methods of a class share these annotations.
	 * @return whether they are on a class or an interface
	 */
	boolean shared() {
		return this.location == Location.CLASS || this.location == Location.INTERFACE;
	}

	/**
	 * Whether other annotations are on the same element.
	 * @param other the other annotations of the same method
	 * @return whether both have the same location and distance
	 */
	boolean isBeside(NearestAnnotations<?> other) {
		return this.location == other.location && this.distance == other.distance;
	}

	/**
	 * Whether these annotations replace others.
	 * @param other the other annotations of the same method
	 * @return whether these are on a nearer element
	 */
	boolean isNearerThan(NearestAnnotations<?> other) {
		int locations = this.location.compareTo(other.location);
		return locations < 0 || (locations == 0 && this.distance < other.distance);
	}

	/**
	 * Kinds of elements, the nearest first.
	 */
	enum Location {

		/** The method, or one of a superclass that it overrides. */
		METHOD(SearchStrategy.SUPERCLASS),

		/** A method of an interface. */
		INTERFACE_METHOD(SearchStrategy.TYPE_HIERARCHY),

		/** The class, or a superclass. */
		CLASS(SearchStrategy.SUPERCLASS),

		/** An interface of the class. */
		INTERFACE(SearchStrategy.TYPE_HIERARCHY);

		private final SearchStrategy strategy;

		Location(SearchStrategy strategy) {
			this.strategy = strategy;
		}

	}

}
