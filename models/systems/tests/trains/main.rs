//! Drive trains and mechanisms, in both interfaces.

mod bearing;
mod clutch;
mod contacts;
mod coupled;
mod derivatives;
mod fixture;
mod flanges;
mod gas;
mod heat;
mod initial;
mod input_motions;
mod loads;
mod lossy;
mod odd;
mod one_way;
mod own;
mod random;
mod rods;
mod shared;
mod shifts;
mod signals;
mod space;
mod sparsity;
mod steady;
mod stops;
mod transmissions;
