flexible_body 1
about rod of Simeon's slider-crank: two sines, two quadratics
mass 0.151104
centre 0.15 0 0
inertia 1.611776e-06 0.001134085888 0.001134085888 0 0 0   # about the centre: xx yy zz xy xz yz
nodes 3   # name x y z
root 0 0 0
middle 0.15 0 0
tip 0.3 0 0
modes 4   # frequency Hz, damping ratio; then of every node ux uy uz rx ry rz
mode 466.852162721 0
0 -5.32147654 0 0 0 87.5347805
0 3.03747926 0 0 0 0
0 -5.32147654 0 0 0 -87.5347805
mode 1297.30417602 0
0 5.54136987 0 0 0 -158.564732
0 0 0 0 0 84.6798007
0 -5.54136987 0 0 0 -158.564732
mode 9264.39645246 0
-4.45576879 0 0 0 0 0
0 0 0 0 0 0
4.45576879 0 0 0 0 0
mode 20715.8202382 0
-5.75237277 0 0 0 0 0
2.87618638 0 0 0 0 0
-5.75237277 0 0 0 0 0
inertia_1   # dJ/dq: mode xx yy zz xy xz yz
2 0 0 0 -5.95429798e-05 0 0
3 0 0.0673284487 0.0673284487 0 0 0
inertia_2   # d2J/dq dq: mode mode xx yy zz xy xz yz
1 1 2 0 2 0 0 0
1 4 0 0 0 -0.998425457 0 0
2 2 1.99780034 0.00219966449 2 0 0 0
2 3 0 0 0 -0.000884365835 0 0
3 3 0 2 2 0 0 0
4 4 0 2 2 0 0 0
coriolis   # int phi x phi dm: mode mode x y z
1 4 0 0 -0.998425457
2 3 0 0 -0.000884365835
end
