/**
 * Tests of the application without the starter.
 */
@NullMarked
package com.example.notes;

import org.jspecify.annotations.NullMarked;
